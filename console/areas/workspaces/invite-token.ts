export function inviteToken(pasted: string): string {
  return (URL.canParse(pasted) ? new URL(pasted).searchParams.get('token') : null) ?? pasted
}
