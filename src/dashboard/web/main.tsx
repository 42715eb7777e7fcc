import { render } from 'preact';
import { App } from './app.tsx';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/parts.css';
import './styles/pages.css';

const root = document.getElementById('app');
if (root !== null) render(<App />, root);
