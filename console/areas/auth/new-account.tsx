import { createContext, type ReactNode, use, useState } from 'react'

export interface NewAccount {
  email: string
  password: string
  /** The address must be confirmed before the first login. */
  unconfirmed: boolean
}

interface NewAccountState {
  account: NewAccount | undefined
  setAccount: (account: NewAccount | undefined) => void
}

const Context = createContext<NewAccountState | undefined>(undefined)

/** Carries a new account from the signup page to the login page, in memory only because of its password. */
export function NewAccountProvider({ children }: { children: ReactNode }) {
  const [account, setAccount] = useState<NewAccount>()
  return <Context value={{ account, setAccount }}>{children}</Context>
}

export function useNewAccount(): NewAccountState {
  const state = use(Context)
  if (!state) throw new Error('useNewAccount requires NewAccountProvider.')
  return state
}
