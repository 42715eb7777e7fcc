import {
  type BinaryExpression,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';
import {
  isBinaryExpression,
  isBindingElement,
  isBlock,
  isIfStatement,
  isImportDeclaration,
  isInterfaceDeclaration,
  isNumericLiteral,
  isPrefixUnaryExpression,
  isPropertyAssignment,
  isTypeAliasDeclaration,
  isTypeNode,
} from 'typescript/unstable/ast/is';

/** One small change to one source file. */
export interface Mutation {
  /** Path from the repository root. */
  readonly path: string;
  /** The characters that are replaced. */
  readonly from: number;
  readonly to: number;
  readonly replacement: string;
  /** The expression that is evaluated when the mutation could matter. */
  readonly reached: { readonly from: number; readonly to: number };
  /** What changes, for a reader: `=== → !==`. */
  readonly change: string;
  /** The line, from 1, and its text without the blanks around it. */
  readonly line: number;
  readonly lineText: string;
}

/** Operators and what each becomes. */
const operators: Readonly<Partial<Record<SyntaxKind, string>>> = {
  [SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [SyntaxKind.LessThanToken]: '<=',
  [SyntaxKind.LessThanEqualsToken]: '<',
  [SyntaxKind.GreaterThanToken]: '>=',
  [SyntaxKind.GreaterThanEqualsToken]: '>',
  [SyntaxKind.AmpersandAmpersandToken]: '||',
  [SyntaxKind.BarBarToken]: '&&',
  [SyntaxKind.PlusToken]: '-',
  [SyntaxKind.MinusToken]: '+',
  [SyntaxKind.AsteriskToken]: '/',
  [SyntaxKind.SlashToken]: '*',
  [SyntaxKind.PlusEqualsToken]: '-=',
  [SyntaxKind.MinusEqualsToken]: '+=',
};

/** All mutations of a file, in the order of the text. Types are left alone: they do not run. */
export function mutationsOf(path: string, file: SourceFile): Mutation[] {
  const mutations: Mutation[] = [];
  const visit = (node: Node): void => {
    if (isTypeNode(node) || isImportDeclaration(node)) return;
    if (isInterfaceDeclaration(node) || isTypeAliasDeclaration(node)) return;
    const edit = editOf(node, file);
    if (edit !== undefined) {
      const line = file.text.slice(0, edit.from).split('\n').length;
      const lineText = (file.text.split('\n')[line - 1] ?? '').trim();
      const place = isIfStatement(node) ? node.expression : node;
      const reached = { from: place.getStart(file), to: place.end };
      mutations.push({ path, ...edit, reached, line, lineText });
    }
    node.forEachChild(visit);
  };
  file.forEachChild(visit);
  return mutations;
}

type Edit = Pick<Mutation, 'from' | 'to' | 'replacement' | 'change'>;

/** The mutation of one node, if it has one. */
function editOf(node: Node, file: SourceFile): Edit | undefined {
  const [from, to] = [node.getStart(file), node.end];
  if (isBinaryExpression(node)) return binaryEdit(node, file);
  if (node.kind === SyntaxKind.TrueKeyword) {
    return { from, to, replacement: 'false', change: 'true → false' };
  }
  if (node.kind === SyntaxKind.FalseKeyword) {
    return { from, to, replacement: 'true', change: 'false → true' };
  }
  if (isNumericLiteral(node)) {
    // The name of a property is no expression.
    const { parent } = node;
    if (isPropertyAssignment(parent) && parent.name === node) return undefined;
    if (isBindingElement(parent) && parent.propertyName === node) return undefined;
    const text = file.text.slice(from, to);
    const column = from - file.text.lastIndexOf('\n', from) - 1;
    const replacement = neighbourOf(text, column);
    return { from, to, replacement, change: `${text} → ${replacement}` };
  }
  if (isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) {
    return { from, to: node.operand.getStart(file), replacement: '', change: '! dropped' };
  }
  if (isIfStatement(node) && node.elseStatement === undefined && leaves(node.thenStatement)) {
    return { from, to, replacement: '', change: 'early exit dropped' };
  }
  return undefined;
}

function binaryEdit(
  { left, operatorToken, right }: BinaryExpression,
  file: SourceFile,
): Edit | undefined {
  const from = operatorToken.getStart(file);
  const replacement = operators[operatorToken.kind];
  if (replacement !== undefined) {
    const operator = file.text.slice(from, operatorToken.end);
    return { from, to: operatorToken.end, replacement, change: `${operator} → ${replacement}` };
  }
  if (operatorToken.kind !== SyntaxKind.QuestionQuestionToken) return undefined;
  return { from: left.end, to: right.end, replacement: '', change: '?? dropped' };
}

/** The number beside a number: one more or one less, by its column, which other lines do not move. */
function neighbourOf(text: string, column: number): string {
  const value = Number(text.replaceAll('_', ''));
  return String(column % 2 === 0 || value === 0 ? value + 1 : value - 1);
}

/** Whether a statement does nothing but leave a function or a turn of a loop. */
function leaves(statement: Node): boolean {
  if (isBlock(statement)) {
    const [first, ...others] = statement.statements;
    return first !== undefined && others.length === 0 && leaves(first);
  }
  return leavingKinds.has(statement.kind);
}

const leavingKinds: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.ReturnStatement,
  SyntaxKind.ThrowStatement,
  SyntaxKind.ContinueStatement,
  SyntaxKind.BreakStatement,
]);

/** A text with a mutation made. */
export function mutated(text: string, { from, to, replacement }: Mutation): string {
  return text.slice(0, from) + replacement + text.slice(to);
}
