/** Shop systems whose sites can be connected. */
export const STORE_PLATFORMS = ['woocommerce', 'shopify', 'magento', 'prestashop', 'wix', 'custom'] as const;
