kernel void empty(void)
{
}
