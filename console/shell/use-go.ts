import { useNavigate } from 'react-router'
import { useShell } from './shell-state.tsx'

/** Closes what floats over the page and goes elsewhere. */
export function useGo() {
  const navigate = useNavigate()
  const { show } = useShell()
  return (to: string) => {
    show(undefined)
    void navigate(to)
  }
}
