/** The default theme, with code that wraps. */
import DefaultTheme from 'vitepress/theme';
import './style.css';

export default DefaultTheme;
