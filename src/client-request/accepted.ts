/** More than any browser sends; the rest of a longer list is not read. */
const rangesMax = 32;

/** The items of a header such as `Accept` or `Accept-Language`, the most wanted first. */
export function acceptedIn(values: readonly string[]): readonly string[] {
  const ranges = values.join(',').toLowerCase().split(',', rangesMax);
  return ranges
    .map((range) => {
      const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return { name, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ name, quality }) => name !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ name }) => name);
}
