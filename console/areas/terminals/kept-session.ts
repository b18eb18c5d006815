import type { Place } from './place.ts'

const keyOf = ({ serverId, containerId }: Place) =>
  ['terminal', serverId, ...(containerId === undefined ? [] : [containerId])].join(':')

/** Which shell this tab of the browser had there, to come back to it after a reload or another page. */
export const readSession = (place: Place) => sessionStorage.getItem(keyOf(place)) ?? undefined

export function storeSession(place: Place, session: string | undefined) {
  if (session === undefined) sessionStorage.removeItem(keyOf(place))
  else sessionStorage.setItem(keyOf(place), session)
}
