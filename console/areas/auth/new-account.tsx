import { createContext, type ReactNode, use, useState } from 'react'

export interface NewAccount {
  email: string
  password: string
  /** Whether the address must be confirmed before the first login. */
  unconfirmed: boolean
}

interface NewAccountState {
  account: NewAccount | undefined
  setAccount: (account: NewAccount | undefined) => void
}

const Context = createContext<NewAccountState | undefined>(undefined)

/**
 * Passes a new account from the signup page to the login page. The password must not be stored, so this happens in
 * memory.
 */
export function NewAccountProvider({ children }: { children: ReactNode }) {
  const [account, setAccount] = useState<NewAccount>()
  return <Context value={{ account, setAccount }}>{children}</Context>
}

export function useNewAccount(): NewAccountState {
  const state = use(Context)
  if (!state) throw new Error('useNewAccount requires NewAccountProvider.')
  return state
}
