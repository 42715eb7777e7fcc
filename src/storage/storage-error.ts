/** The database cannot be used. The message says what to do next. */
export class StorageError extends Error {
  override readonly name: string = 'StorageError';
}

/** The database is there and must not be used as it is: waiting changes nothing. */
export class UnfitError extends StorageError {
  override readonly name = 'UnfitError';
}
