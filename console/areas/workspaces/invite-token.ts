/** The token in what somebody pasted: the token itself, or the whole link. */
export function inviteToken(pasted: string): string {
  return (URL.canParse(pasted) ? new URL(pasted).searchParams.get('token') : null) ?? pasted
}
