import './theme.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { startRouting } from './router.svelte';
import { listenForTouch } from './sound.svelte';
import { language } from './text';

startRouting();
listenForTouch();
await language.start();
const target = document.getElementById('app');
if (target) mount(App, { target });
