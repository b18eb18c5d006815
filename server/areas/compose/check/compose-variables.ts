/**
 * Whether Docker Compose takes a variable for a setting of its own. COMPOSE_PROFILES would have it deploy services that
 * nobody chose here, so nothing of a file is filled with such a variable.
 */
export const isComposeSetting = (key: string) => /^COMPOSE_/i.test(key)
