import { parentPort, workerData } from 'node:worker_threads';
import type { Field } from '../src/core/extract/field.ts';
import { readJson } from '../src/core/extract/json-reader.ts';
import { readRequest } from '../src/core/extract/read-request.ts';
import { scoreOf } from '../src/core/verdict/verdict.ts';
import { LessonBook } from '../src/shape/learn/lesson-book.ts';
import { answerLearning, type LearningMessage } from '../src/shape/learn/messages.ts';

// Learns from requests that were answered, and keeps nothing of them but a summary.

const book = new LessonBook((text) => {
  const fields: Field[] = [];
  return readJson(text, fields) === undefined ? fields : undefined;
}, Number(workerData));

parentPort?.on('message', (message: LearningMessage) => {
  parentPort?.postMessage(answerLearning(book, message, { readRequest, scoreOf }));
});
