/** Why a server is still pending, as its page shows it. */
export const authoriseFirst = 'Authorise its key on the server, then connect.'
export const confirmFirst =
  'Compare the host key that it shows with the one on the server itself, then confirm it.'
export const movedSince =
  'It was given another address or port, so its host key has to be confirmed again. Connect to see it.'
