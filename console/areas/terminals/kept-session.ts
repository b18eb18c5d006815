/** Which shell this tab of the browser had on a server, to come back to it after a reload or another page. */
const keyOf = (serverId: string) => `terminal:${serverId}`

export const readSession = (serverId: string) => sessionStorage.getItem(keyOf(serverId)) ?? undefined

export function storeSession(serverId: string, session: string | undefined) {
  if (session === undefined) sessionStorage.removeItem(keyOf(serverId))
  else sessionStorage.setItem(keyOf(serverId), session)
}
