/** The database cannot be used. The message says what to do next. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}
