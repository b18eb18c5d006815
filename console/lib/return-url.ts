const key = 'wanted'

/** Stores the page to return to after login. It is kept per tab, so that it survives the redirect to GitHub. */
export function rememberReturnUrl(path: string) {
  if (isDashboard(path)) sessionStorage.setItem(key, path)
}

export function consumeReturnUrl(): string | undefined {
  const path = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return path !== null && isDashboard(path) ? path : undefined
}

export const isDashboard = (path: string) => /^\/dashboard(?=$|[/?#])/.test(path)
