interface Price {
  monthly: number
  currency: string
}

/** "€4.51", as the provider says it; for how long stands beside it. */
export const priceInWords = ({ monthly, currency }: Price) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(monthly)
