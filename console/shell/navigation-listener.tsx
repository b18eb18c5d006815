import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { onNavigate } from '../lib/navigate.ts'

/** Navigates when a browser notification is clicked. */
export function NavigationListener() {
  const navigate = useNavigate()
  useEffect(() => onNavigate((path) => void navigate(path)), [navigate])
  return null
}
