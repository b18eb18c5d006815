const channel = new BroadcastChannel('slipway')

/** The session's workspace was changed here; the other tabs share the session and have to follow. */
// oxlint-disable-next-line require-post-message-target-origin -- a channel has no other origin
export const tellTabs = () => channel.postMessage('workspace')

export function onOtherTab(listener: () => void) {
  channel.addEventListener('message', listener)
  return () => channel.removeEventListener('message', listener)
}
