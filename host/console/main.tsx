/** Puts the console on its page. */
import { render } from 'preact';
import { App } from './app.tsx';
import './style.css';

const place = document.getElementById('app');
if (place === null) throw new Error('the page has no place for the console');
render(<App />, place);
