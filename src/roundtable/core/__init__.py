"""What every hidden-role game shares: seats, events with an audience, options, phases, outcomes, replay."""
