/**
 * A member that holds what somebody signs in with, or is known by: a name, no expression of any
 * language.
 */
export function isSignInMember(member: string): boolean {
  return signInMember.test(member.slice(-64));
}

const signInMember =
  /(?:^|[._\-[])(?:user|user_?name|login|log_?in|uid|user_?id|account|nick(?:name)?|e?mail|password|passwd|pass|cn|sam_?account_?name)\]?$/i;

/** A member that holds the number of a row, or how many rows are wanted. */
export function isKeyMember(member: string): boolean {
  return keyMember.test(member.slice(-64));
}

const keyMember = /(?:^|[._\-[])(?:[iI][dD]s?|[a-z]{1,20}I[dD]s?|limit|offset)\]?$/;

/** A member that names the column by which rows are sorted. */
export function isSortMember(member: string): boolean {
  return sortMember.test(member.slice(-64));
}

const sortMember =
  /(?:^|[._\-[])(?:sort(?:ing|ed)?|order)(?:[_-]?(?:by|field|column|col|key|dir|direction))?\]?$/i;

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
  /(?:^|[._\-[])(?:(?:min|max|unit|total|order|item)[._-]?)?(?:amount|qty|quantity|price|count|total|age|year|page|stock|rating|score|rank|weight|min|max)\]?$/i;

/** The name of a file: of an uploaded part, or a field that is called so. */
export function isFileName(member: string): boolean {
  return fileMember.test(member.slice(-40));
}

/**
 * The name that a client gives to a part of a form, a file name without a way to it: as our clients
 * pass it on, or in the body as it was sent.
 */
export function isUploadName(member: string, decoded: readonly string[] = []): boolean {
  if (member.startsWith('body.') && member.endsWith('.filename')) return true;
  const step = decoded.at(-1) ?? '';
  return step.startsWith('multipart:') && step.endsWith('.filename');
}

const fileMember =
  /(?:^|[._\-[])(?:file|upload)?_?-?(?:filename|file_name|file-name)\]?$|filename$/i;

/** The address of the page in front, as browsers and trackers send it: nothing is opened by it. */
export function isReferrerMember(member: string): boolean {
  return referrerMember.test(member.slice(-64));
}

const referrerMember = /(?:^|[._\-[])(?:(?:document_?)?referr?er|dr)\]?$/i;
