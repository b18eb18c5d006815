/** Why a server is still pending, as its page shows it. */
export const authoriseFirst = 'Authorise its key on the server, then connect.'
/** Of one that was picked from a cloud account. */
export const letInFirst =
  'Paste the line that lets Slipway in on the server, or authorise its key there and connect.'
export const confirmFirst =
  'Compare the host key that it shows with the one on the server itself, then confirm it.'
export const movedSince =
  'It was given another address or port, so its host key has to be confirmed again. Connect to see it.'
/** Of the machine that Slipway runs on: nothing is installed there without being asked. */
export const installFirst =
  'Docker does not answer on the machine that Slipway runs on. Set it up to install Docker, git and the proxy.'
