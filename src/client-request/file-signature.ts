/** Content types of files that are no text. SVG is text. */
export function isBinaryType(type: string): boolean {
  return binaryType.test(type) && type !== 'image/svg+xml';
}

const binaryType =
  /^(?:image|audio|video|font|model)\/|^application\/(?:(?:x-)?(?:octet-stream|pdf|zip|gzip|bzip2?|xz|zstd|tar|gtar|7z-compressed|rar-compressed|zip-compressed|protobuf|sqlite3|shockwave-flash|font-\w+)|vnd\.(?:ms-|openxmlformats|oasis\.opendocument|rar|android\.package|sqlite3)[\w.-]*|offset\+octet-stream|wasm|msword|java-archive|epub\+zip|ogg|grpc(?:-web)?(?:\+proto)?|x-protobuf|vnd\.google\.protobuf|msgpack|x-msgpack|vnd\.msgpack|cbor|avro|font-woff2?|dicom)$/;

/**
 * How common files begin, in latin1: PNG, JPEG, GIF, RIFF (WebP, WAV, AVI), PDF, ZIP, gzip, zstd,
 * bzip2, xz, 7z, RAR, TIFF, ISO media (MP4, HEIC, AVIF), Matroska, Ogg, FLAC, MP3, fonts, compound
 * files of Office, WebAssembly, SQLite, ELF. None of them can begin a JSON text.
 */
export const fileSignature =
  /^(?:\x89PNG|\xff\xd8\xff|GIF8[79]a|RIFF[\s\S]{4}(?:WEBP|WAVE|AVI )|%PDF-\d|PK(?:\x03\x04|\x05\x06)|\x1f\x8b|\x28\xb5\x2f\xfd|BZh\d|\xfd7zXZ|7z\xbc\xaf|Rar!\x1a|II\*\0|MM\0\*|[\s\S]{4}ftyp|\x1aE\xdf\xa3|OggS|fLaC|ID3[\x02-\x04]|\xff[\xe2\xe3\xf2\xf3\xfa\xfb]|wOF[F2]|OTTO|\0\x01\0\0|ttcf|\xd0\xcf\x11\xe0|\0asm|SQLite f|\x7fELF)/;
