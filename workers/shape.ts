import { parentPort, workerData } from 'node:worker_threads';
import { readAndCompile, type ShapeTask } from '../src/shape/compile-check.ts';

// Reads one document of an administrator, and ends.
parentPort?.postMessage(readAndCompile(workerData as ShapeTask));
