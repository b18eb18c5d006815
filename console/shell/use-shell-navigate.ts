import { useNavigate } from 'react-router'
import { useShell } from './shell-state.tsx'

/** Closes overlays and navigates. */
export function useShellNavigate() {
  const navigate = useNavigate()
  const { show } = useShell()
  return (to: string) => {
    show(undefined)
    void navigate(to)
  }
}
