import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { onLead } from '../lib/lead.ts'

/** Goes where a notification leads. */
export function Leading() {
  const navigate = useNavigate()
  useEffect(() => onLead((path) => void navigate(path)), [navigate])
  return null
}
