# The generators that `npm run clients` tries, and the table in docs/guides/first-shipment.md names.
OPENAPI_GENERATOR=7.16.0
OAPI_CODEGEN=2.8.2
OGEN=1.24.0
HEY_API=0.99.0
OPENAPI_TYPESCRIPT=7.13.0
OPENAPI_FETCH=0.17.0
OPENAPI_PYTHON_CLIENT=0.29.1
