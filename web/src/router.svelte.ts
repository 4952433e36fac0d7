/** The current route, and navigation without a page load. */
import { routeOf, type Route } from './routes';

let current = $state.raw<Route>(routeOf(location.pathname));

export const router = {
  get route(): Route {
    return current;
  },
};

export function go(path: string): void {
  history.pushState(null, '', path);
  arrive();
}

function arrive(): void {
  current = routeOf(location.pathname);
  scrollTo(0, 0);
}

/** Handles links to our own screens; others, and new windows, are left to the browser. */
function follow(click: MouseEvent): void {
  const link = (click.target as Element | null)?.closest('a');
  const isPlain = click.button === 0 && !click.metaKey && !click.ctrlKey && !click.shiftKey && !click.altKey;
  if (!link || !isPlain || click.defaultPrevented || link.target || link.hasAttribute('download')) return;
  if (link.origin !== location.origin || routeOf(link.pathname).screen === 'not_found') return;
  click.preventDefault();
  go(link.pathname);
}

export function startRouting(): void {
  addEventListener('popstate', arrive);
  document.addEventListener('click', follow);
}
