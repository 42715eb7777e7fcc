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
