/** Unit tests run in English. */
import { language } from './language.svelte';

await language.choose('en');
