import './story.slow.test.ts';
