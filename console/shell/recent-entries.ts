const key = 'recent-palette'
const most = 8

/** Labels of the palette entries chosen last, newest first. Names exist in one workspace only. */
export function readRecentEntries(workspaceId: string): string[] {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(`${key}:${workspaceId}`) ?? '[]')
    return Array.isArray(saved) ? saved.filter((entry) => typeof entry === 'string') : []
  } catch {
    return []
  }
}

export function saveRecentEntry(workspaceId: string, id: string): void {
  const before = readRecentEntries(workspaceId).filter((entry) => entry !== id)
  localStorage.setItem(`${key}:${workspaceId}`, JSON.stringify([id, ...before].slice(0, most)))
}
