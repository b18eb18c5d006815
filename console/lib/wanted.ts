const key = 'wanted'

/** The page somebody asked for before they had to log in. Kept by the tab, so that it outlives a trip to GitHub. */
export function rememberWanted(path: string) {
  if (isDashboard(path)) sessionStorage.setItem(key, path)
}

export function takeWanted(): string | undefined {
  const path = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return path !== null && isDashboard(path) ? path : undefined
}

export const isDashboard = (path: string) => /^\/dashboard(?=$|[/?#])/.test(path)
