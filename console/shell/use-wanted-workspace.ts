import { useEffect } from 'react'
import { useChangeWorkspace, type Workspace } from '../areas/workspaces/queries.ts'
import { useParam } from '../lib/use-param.ts'

/** Switches to the workspace that a link names in `?workspace=`. True while switching. */
export function useWantedWorkspace(current: Workspace | null | undefined): boolean {
  const [wanted, setWanted] = useParam('workspace')
  const { mutate } = useChangeWorkspace(() => setWanted(''))
  const id = current?.id
  useEffect(() => {
    if (wanted === '' || id === undefined) return
    if (wanted === id) setWanted('')
    // Not in it, or not any more: what the link leads to is not found then.
    else mutate(wanted, { onError: () => setWanted('') })
  }, [wanted, id, setWanted, mutate])
  return wanted !== '' && id !== undefined
}
