import { useState } from 'react'

export interface Dismissal {
  isDismissed: (title: string) => boolean
  dismiss: (title: string) => void
}

const key = 'dismissed-notices'
const most = 50

/** Titles of dismissed notices, kept for this browser tab until `version` changes. Null without a version. */
export function useDismissal(version: string | undefined): Dismissal | null {
  const [dismissed, setDismissed] = useState(read)
  if (version === undefined) return null
  const entryOf = (title: string) => `${version} ${title}`
  return {
    isDismissed: (title) => dismissed.includes(entryOf(title)),
    dismiss: (title) => {
      const after = [...read(), entryOf(title)].slice(-most)
      sessionStorage.setItem(key, after.join('\n'))
      setDismissed(after)
    },
  }
}

const read = () => (sessionStorage.getItem(key) ?? '').split('\n')
