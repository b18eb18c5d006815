/**
 * Matches settings of Docker Compose itself. COMPOSE_PROFILES would deploy services that nobody selected, so such
 * variables are never interpolated.
 */
export const isComposeSetting = (key: string) => /^COMPOSE_/i.test(key)
