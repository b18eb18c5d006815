/** What printed a line in the log of a deployment. */
export const outputOrigins = ['slipway', 'build', 'container'] as const
export type OutputOrigin = (typeof outputOrigins)[number]
