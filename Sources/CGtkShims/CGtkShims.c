#include "CGtkShims.h"
