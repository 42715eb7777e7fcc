import {
  type KyselyPlugin,
  OperationNodeTransformer,
  type PrimitiveValueListNode,
  type ValueNode,
} from 'kysely';

/**
 * PostgreSQL refuses U+0000 in a text, and with it the statement. What callers send can hold it,
 * so it goes there as the replacement character: one event of that kind must not cost its batch.
 */
export function withoutNulls(): KyselyPlugin {
  const transformer = new NullReplacer();
  return {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  };
}

class NullReplacer extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    const value = replaced(node.value);
    return value === node.value ? node : { ...node, value };
  }

  // Of `in` lists and of rows to insert.
  protected override transformPrimitiveValueList(
    node: PrimitiveValueListNode,
  ): PrimitiveValueListNode {
    return { ...node, values: node.values.map(replaced) };
  }
}

function replaced(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}
