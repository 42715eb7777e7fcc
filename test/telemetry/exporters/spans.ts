/** A span in the JSON form of OTLP. */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly OtlpAttribute[];
  readonly status?: { readonly code: number };
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}

interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

/** The spans of a request to a collector. */
export function spansIn(body: string): readonly OtlpSpan[] {
  const { resourceSpans } = JSON.parse(body) as OtlpRequest;
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

/** The attributes of a span or a resource. */
export function attributesIn(
  holder: { readonly attributes?: readonly OtlpAttribute[] } | undefined,
): Readonly<Record<string, string | number | undefined>> {
  const pairs = holder?.attributes?.map(({ key, value }) => [
    key,
    value.stringValue ?? value.intValue,
  ]);
  return Object.fromEntries(pairs ?? []);
}
