type MemberTest = (member: string) => boolean;

/** By the end of the name of a member: what stands further in front says where it is. */
function endsAs(pattern: RegExp): MemberTest {
  return (member) => pattern.test(member.slice(-64));
}

/**
 * A member that holds what a user signs in with, or is known by: a name, no expression of any
 * language.
 */
export const isSignInMember: MemberTest = endsAs(
  /(?:^|[._\-[])(?:user|user_?name|login|log_?in|uid|user_?id|account|nick(?:name)?|e?mail|password|passwd|pass|cn|sam_?account_?name)\]?$/i,
);

/** A member that holds the name of a person: `name`, `user.name`; not `variable.name`. */
export const isPersonMember: MemberTest = endsAs(
  /^(?:(?:body|query|user|person|customer|contact|author|profile|account)[.[]){0,2}(?:(?:(?:first|last|full|display|user|given|family)[_-]?)?name|surname)\]?$/i,
);

/** A member that holds the number of a row, or how many rows are wanted. */
export const isKeyMember: MemberTest = endsAs(
  /(?:^|[._\-[])(?:[iI][dD]s?|[a-z]{1,20}I[dD]s?|limit|offset)\]?$/,
);

/** A member that names the column by which rows are sorted. */
export const isSortMember: MemberTest = endsAs(
  /(?:^|[._\-[])(?:sort(?:ing|ed)?|order)(?:[_-]?(?:by|field|column|col|key|dir|direction))?\]?$/i,
);

/** A member that says in which direction rows are sorted. */
export const isDirectionMember: MemberTest = endsAs(/(?:^|[._\-[])dir(?:ection)?\]?$/i);

/** A member that names a column: no list, and no place that something comes from. */
export function isColumnMember(member: string): boolean {
  return isSortMember(member) || columnMember.test(member.slice(-64));
}

const columnMember = /(?:^|[._\-[])(?:group[_-]?by|fields?|columns?|cols?)(?:[_-]?names?)?\]?$/i;

/** A member that names a column or a table. */
export function isNameMember(member: string): boolean {
  return isSortMember(member) || nameMember.test(member.slice(-64));
}

const nameMember =
  /(?:^|[._\-[])(?:(?:group[_-]?by|fields?|columns?|cols?|tables?|select|from|list)[_-]?(?:names?)?)\]?$/i;

/** A member that holds a number, by its name: a count, a price, a year, or the number of a row. */
export function isNumberMember(member: string): boolean {
  return isKeyMember(member) || numberMember.test(member.slice(-64));
}

const numberMember =
  /(?:^|[._\-[])(?:(?:min|max|unit|total|order|item)[._-]?)?(?:amount|qty|quantity|price|count|total|age|year|page|stock|rating|score|rank|weight|min|max|pin|otp)\]?$/i;

/** The name of a file: of an uploaded part, or a field that is called so. */
export const isFileName: MemberTest = endsAs(
  /(?:^|[._\-[])(?:file|upload)?_?-?(?:filename|file_name|file-name)\]?$|filename$/i,
);

/**
 * The name that a client gives to a part of a form, a file name without a way to it: as our clients
 * pass it on, or in the body as it was sent.
 */
export function isUploadName(member: string, decoded: readonly string[] = []): boolean {
  if (member.startsWith('body.') && member.endsWith('.filename')) return true;
  const step = decoded.at(-1) ?? '';
  return step.startsWith('multipart:') && step.endsWith('.filename');
}

/** The address of the page in front, as browsers and trackers send it: nothing is opened by it. */
export const isReferrerMember: MemberTest = endsAs(
  /(?:^|[._\-[])(?:(?:document_?)?referr?er|dr)\]?$/i,
);
