import { playRole } from './scripted.ts';

playRole('ops');
