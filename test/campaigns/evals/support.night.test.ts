import { playRole } from './scripted.ts';

playRole('support');
