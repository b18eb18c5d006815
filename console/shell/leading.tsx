import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { onLead } from '../lib/navigate.ts'

/** Navigates when a browser notification is clicked. */
export function Leading() {
  const navigate = useNavigate()
  useEffect(() => onLead((path) => void navigate(path)), [navigate])
  return null
}
