/** As random as production wants its ENCRYPTION_KEY. */
export const productionKey = '3f9a1c07e5b84d62a0d7195bce48f3267d14b09e6ac258f1930be7a54c6d82f0'
