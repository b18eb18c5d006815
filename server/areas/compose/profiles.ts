/** A service without profiles is always deployed. */
export const isProfileSelected = (own: readonly string[], chosen: readonly string[]): boolean =>
  own.length === 0 || chosen.includes('*') || own.some((profile) => chosen.includes(profile))
