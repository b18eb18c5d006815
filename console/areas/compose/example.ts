/** To begin with: something that is visited, and something that keeps data. */
export const example = `services:
  web:
    image: nginx:1.27
    expose:
      - "80"
    depends_on:
      cache:
        condition: service_healthy
  cache:
    image: redis:7
    volumes:
      - cache:/data
    healthcheck:
      test: ["CMD", "redis-cli", "ping"]
      interval: 5s

volumes:
  cache:
`
