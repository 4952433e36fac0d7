/** Whether this browser shows its player's secrets openly, because no neighbour can read them. */
import { store, stored } from '../../protocol/storage';

const PLACE = 'open_secrets';
let isOn = $state(stored(PLACE) === 'yes');

export const openSecrets = {
  get isOn(): boolean {
    return isOn;
  },
  change(wanted: boolean): void {
    isOn = wanted;
    store(PLACE, wanted ? 'yes' : 'no');
  },
};
