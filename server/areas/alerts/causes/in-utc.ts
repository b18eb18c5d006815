/** Without seconds, for people in many time zones: `2026-11-16 09:58 UTC`. */
export const formatUtc = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
