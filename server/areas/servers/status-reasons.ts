export const keyNotAdded = 'Add the key to the server, then connect.'
export const importCommandPending = 'Run the import command on the server, or add the key there and connect.'
export const hostKeyNotConfirmed = 'Compare the host key with the one on the server, then confirm it.'
export const addressChanged =
  'The address or port changed, so the host key must be confirmed again. Connect to see it.'
export const setupNotStarted = 'The server is connected. Review what setup changes, then start it.'
