import { playRole } from './scripted.ts';

playRole('agent');
