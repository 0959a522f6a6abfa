import { open, openWorker } from 'qili';

globalThis.qili = { open, openWorker };
